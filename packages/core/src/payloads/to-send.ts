import type { Any, TypeOf } from 'io-ts'
import type { LocalDate } from '../values/instant.js'
import type { accountPayload } from './account.js'

// The build writes the types of this file, and one for each object in a payload, as interfaces with the meaning of each
// field (scripts/describe-types.mjs).

/** The object of a codec with its days replaced by another type. */
type Sent<Of extends Any, Day> = WithDays<TypeOf<Of>, Day>

type WithDays<Value, Day> = Value extends LocalDate
  ? Day
  : Value extends object
    ? { readonly [Field in keyof Value]: WithDays<Value[Field], Day> }
    : Value

/** An account to send: the `payload` of `validateAccount` and `stageAccount`. */
export type AccountToSend<Day = string> = Sent<typeof accountPayload, Day>
