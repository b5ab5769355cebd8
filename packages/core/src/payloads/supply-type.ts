import type { TypeOf } from 'io-ts'
import { choice } from '../codec/index.js'

/** List SUPPLY_TYPE of section 4. */
export const supplyType = choice(['GAS', 'ELECTRICITY'])

export type SupplyType = TypeOf<typeof supplyType>
