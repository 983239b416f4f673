/** What went wrong, in the player's language. */
import { ApiError } from "./api";
import { currentLanguage, say } from "./words.svelte";

/** Sentences for the answers that any request may get. */
const SENTENCES: Record<number, string> = {
  0: "connection.unreachable",
  401: "refused.denied",
  403: "refused.denied",
  404: "fault.missing",
  429: "refused.rate",
  503: "fault.busy",
};

/** The sentence for a request that failed. The server explains the rest in English; in other languages its reason
 * stands behind a sentence of theirs. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const key = SENTENCES[error.status];
  if (key !== undefined) return say(key);
  return currentLanguage() === "en" ? error.message : `${say("fault.other")} (${error.message})`;
}
