import type { TypeOf } from 'io-ts'
import { choice } from '../codec/index.js'

export const supplyType = choice(['GAS', 'ELECTRICITY'])

export type SupplyType = TypeOf<typeof supplyType>
