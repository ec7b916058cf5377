/** Processor time of this process, in ms: unlike real time, it does not grow while others use the machine. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
