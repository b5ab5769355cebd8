import { date, key, list, optional, required, struct, term } from '../codec/index.js'
import { agreement } from './agreement.js'
import { billableItem } from './billable-item.js'
import { reading } from './reading.js'
import { supplyType } from './supply-type.js'

const atrTariff = struct('ATR tariff', { value: required(term(64)), valid_from: required(date) })

/** A point where energy is supplied, with its agreements. `last_billed_to_date` is inclusive. */
export const supplyPoint = struct('supply point', {
  identifier: required(key(64)),
  distributor_ree_code: optional(term(16)),
  supply_type: required(supplyType),
  supply_start_date: required(date),
  last_billed_to_date: optional(date),
  atr_tariffs: optional(list(atrTariff)),
  agreements: optional(list(agreement)),
  readings: optional(list(reading)),
  billable_items: optional(list(billableItem)),
})
