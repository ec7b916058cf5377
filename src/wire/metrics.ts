/** What is told to Prometheus, by all that listen. Its library is loaded where metrics are asked for. */
import type { Counter, Gauge, Histogram } from 'prom-client';

/** Metrics by their names, without values at first. */
export interface Metrics {
  readonly contentType: string;
  counter(name: string, help: string, ...labels: readonly string[]): Counter;
  gauge(name: string, help: string, ...labels: readonly string[]): Gauge;
  /** @param buckets upper bounds, from the lowest */
  histogram(name: string, help: string, buckets: readonly number[], ...labels: readonly string[]): Histogram;
  /** All of them in Prometheus' text format. */
  text(): Promise<string>;
}

/** @param ofProcess also those of the process itself, such as the delay of its event loop */
export async function createMetrics({ ofProcess = false } = {}): Promise<Metrics> {
  const prometheus = (await import('prom-client')).default;
  const registry = new prometheus.Registry();
  const registers = [registry];
  if (ofProcess) prometheus.collectDefaultMetrics({ register: registry });
  return {
    contentType: registry.contentType,
    counter: (name, help, ...labelNames) => new prometheus.Counter({ name, help, labelNames, registers }),
    gauge: (name, help, ...labelNames) => new prometheus.Gauge({ name, help, labelNames, registers }),
    histogram: (name, help, buckets, ...labelNames) =>
      new prometheus.Histogram({ name, help, labelNames, buckets: [...buckets], registers }),
    text: () => registry.metrics(),
  };
}
