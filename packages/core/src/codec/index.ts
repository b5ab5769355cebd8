export { Codec, FAILED, refine, Refined, type Failed, type Reader } from './codec.js'
export { email, phone } from './contacts.js'
export { date, datetime } from './dates.js'
export { decimal, decimalText, figure, money, price, quantity, type DecimalSize } from './decimals.js'
export { Findings, type CheckContext, type FieldError } from './findings.js'
export { freeObject } from './free-object.js'
export { list, List, MAX_ITEMS } from './list.js'
export { Location, payloadLocation } from './findings.js'
export {
  boolean,
  choice,
  Choice,
  code,
  Code,
  documentPath,
  inNames,
  inNumbers,
  integer,
  Integer,
  key,
  Key,
  maskedText,
  openLists,
  Scalar,
  term,
  text,
  Text,
} from './scalars.js'
export {
  optional,
  required,
  struct,
  Struct,
  table,
  type Field,
  type Fields,
  type FieldValues,
} from './struct.js'
