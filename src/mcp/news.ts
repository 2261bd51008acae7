/**
 * What one client has yet to hear of its ground: warnings for its log, and notices for the model, which go with the next
 * answer of a tool and are not said again. Held by `client-ground.ts`, told by `call.ts`.
 */
import { MCP_NEWS } from "../model/limits.ts";

export class News {
  #warnings: string[] = [];
  #notices: string[] = [];

  /** For the log of the client. */
  warn(text: string): void {
    this.#warnings = [...this.#warnings, text].slice(-MCP_NEWS);
  }

  /** For the model. */
  notice(text: string): void {
    this.#notices = [...this.#notices, text].slice(-MCP_NEWS);
  }

  takeWarnings(): readonly string[] {
    const warnings = this.#warnings;
    this.#warnings = [];
    return warnings;
  }

  takeNotices(): readonly string[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }
}
