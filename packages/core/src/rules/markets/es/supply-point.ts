import type { TypeOf } from 'io-ts'
import type { supplyPoint } from '../../../payloads/supply-point.js'
import type { Readable } from '../../readable.js'

/** A supply point of a payload, as far as it could be read. */
export type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>
