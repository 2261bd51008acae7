export interface Config {
  port: number;
  /** Seconds before a request is given up. */
  timeout: number;
}

export function loadConfig(env: Record<string, string | undefined>): Config {
  return {
    port: Number(env["PORT"] ?? 8080),
    timeout: Number(env["TIMEOUT"] ?? 30),
  };
}
