import {
  accountPayload,
  type Fields,
  List,
  meaningOf,
  type Reader,
  Refined,
  Struct,
} from '@account-import/core/payloads'

/** The codec of an object, or of the objects of a list; undefined for a codec of values. */
export const structOf = (codec: Reader<unknown>): Struct<Fields> | undefined => {
  if (codec instanceof Struct) return codec as Struct<Fields>
  if (codec instanceof List) return structOf(codec.item as Reader<unknown>)
  return codec instanceof Refined ? structOf(codec.base as Reader<unknown>) : undefined
}

/** The object that contains the last field of a path such as `customers[].email`; undefined for an unknown path. */
const tableOf = (field: string): Struct<Fields> | undefined => {
  let table = structOf(accountPayload)
  for (const name of field === '' ? [] : field.replaceAll('[]', '').split('.')) {
    const codec = table?.fields[name]?.codec
    if (codec === undefined) return undefined
    table = structOf(codec) ?? table
  }
  return table
}

/** The meaning of the field at a path; empty for the account itself and for an unknown field. */
export const meaningText = (field: string): string => {
  const path = field.replaceAll('[]', '').split('.')
  const name = path.pop() ?? ''
  const table = tableOf(path.join('.'))
  return table !== undefined && Object.hasOwn(table.fields, name) ? meaningOf(table, name).text : ''
}

/** The field at a path in words, such as `mobile of the customer`; an unknown field by its path. */
export const fieldWords = (field: string): string => {
  const path = field.replaceAll('[]', '').split('.')
  const name = path.pop() ?? ''
  const table = tableOf(path.join('.'))
  return table !== undefined && Object.hasOwn(table.fields, name)
    ? `${name.replaceAll('_', ' ')} of the ${table.name}`
    : field
}

/** The anchor of a field in the reference of fields; undefined for an unknown field. */
export const fieldAnchor = (field: string): string | undefined =>
  tableOf(field)?.name.toLowerCase().replaceAll(' ', '-')
