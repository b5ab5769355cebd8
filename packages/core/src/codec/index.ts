export { Codec, FAILED, refine, Refined, type Failed, type Reader } from './codec.js'
export { email, phone } from './contacts.js'
export { date, datetime } from './dates.js'
export {
  decimal,
  type DecimalSize,
  decimalText,
  figure,
  freeObject,
  money,
  price,
  quantity,
} from './decimals.js'
export { Findings, type CheckContext, type FieldError } from './findings.js'
export {
  type Field,
  type Fields,
  type FieldValues,
  list,
  List,
  MAX_ITEMS,
  optional,
  required,
  struct,
  Struct,
  table,
} from './struct.js'
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
