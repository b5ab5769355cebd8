import type { AccountPayload } from './account.js'

/**
 * A payload as its sender writes it: dates, instants and the like are plain texts, and the service checks them. A type of
 * one's own with these fields fits; a field that is misspelt in a literal does not compile.
 */
export type Sendable<Payload> = Payload extends string
  ? // Only of listed texts a record has fields of its own; of any text, marked as a date or not, it has none.
    Record<never, never> extends Record<Payload, unknown>
    ? string
    : Payload
  : Payload extends object
    ? { readonly [Field in keyof Payload]: Sendable<Payload[Field]> }
    : Payload

/** An account as its sender writes it: the `payload` of `validateAccount` and `stageAccount`. */
export type AccountToSend = Sendable<AccountPayload>
