/**
 * A payload as it came, not yet checked. `text`: the JSON text that it was parsed from, where that is at hand; data that is
 * accepted whole is then staged as this text, which saves writing it anew. No object in it has a key twice: the payload would lack
 * what the text has.
 */
export type SentPayload = Readonly<{ payload: unknown; text?: string }>
