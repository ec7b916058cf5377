/** What the renderers need besides the report. */
export interface ClientRenderContext {
  /** The command that runs the client again in this weather alone. */
  readonly repeat: (weather: string) => string;
}
