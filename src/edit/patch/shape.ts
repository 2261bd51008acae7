/** The one right way to write an operation. Messages, warnings and the applier's echo name operations by it. */
import type { OperationHead } from "../../model/patch.ts";

export function shapeOf(operation: OperationHead): string {
  switch (operation.kind) {
    case "replace":
      return `replace ${operation.first}..${operation.last}:`;
    case "delete":
      return `delete ${operation.first}..${operation.last}`;
    case "delete block":
      return `delete block ${operation.line}`;
    case "insert head":
    case "insert tail":
      return `${operation.kind}:`;
    default:
      return `${operation.kind} ${operation.line}:`;
  }
}
