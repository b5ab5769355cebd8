import { DatabaseError } from '../drivers/database-error.js'

const isOfDriver = (cause: object): boolean => 'code' in cause || 'errno' in cause || 'sql' in cause

/** A cause that may be logged: what a driver threw outside a statement (connecting) loses its details too. */
export const cleanCause = (cause: unknown): unknown =>
  cause instanceof Error && !(cause instanceof DatabaseError) && isOfDriver(cause)
    ? new DatabaseError(cause)
    : cause
