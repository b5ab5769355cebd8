/**
 * Stands for a value that could not be read. It is left where the value was, so that rules over several fields
 * can tell a field that is absent from one that is unreadable. Never part of a successful result.
 */
export const FAILED: unique symbol = Symbol('FAILED')
export type Failed = typeof FAILED
