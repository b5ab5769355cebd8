import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { supplyAddress } from '../payloads/supply-address.js'
import type { Readable } from './readable.js'

type SupplyAddress = Readable<TypeOf<typeof supplyAddress>>

type Pair = readonly [field: string, value: string]

/** Adds the fields of an object to `pairs`; false if one could not be read. A read object has its fields in order. */
const collect = (object: Readonly<Record<string, unknown>>, prefix: string, pairs: Pair[]): boolean => {
  for (const [name, value] of Object.entries(object)) {
    if (value === FAILED) return false
    if (typeof value === 'string') pairs.push([prefix + name, value])
  }
  return true
}

/**
 * A text that two addresses share if they have the same fields with the same values, in whichever order these were
 * sent. Undefined if a field could not be read, or the country, which every address has, is missing.
 */
export const addressKey = ({
  structured_street_address: street,
  ...address
}: SupplyAddress): string | undefined => {
  if (address.country === undefined || street === FAILED) return undefined
  const pairs: Pair[] = []
  if (!collect(address, '', pairs)) return undefined
  if (street !== undefined) {
    pairs.push(['structured_street_address', ''])
    if (!collect(street, 'structured_street_address.', pairs)) return undefined
  }
  return JSON.stringify(pairs)
}
