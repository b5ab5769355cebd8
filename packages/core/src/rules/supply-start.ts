import type { TypeOf } from 'io-ts'
import type { agreement } from '../payloads/agreement.js'
import type { supplyPoint } from '../payloads/supply-point.js'
import { each } from './combine.js'
import { below } from './key-path.js'
import { isRead, type Readable } from './readable.js'
import type { ObjectRule } from './rule.js'

type Agreement = Readable<TypeOf<typeof agreement>>
type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>

/** Neither billing nor an agreement begins before the supply does. */
export const nothingBeforeSupply: ObjectRule<SupplyPoint> = (point, at, findings) => {
  const { agreements, last_billed_to_date: billed, supply_start_date: start } = point
  if (!isRead(start)) return
  if (isRead(billed) && billed < start)
    findings.add('last_billed_to_date_before_supply_start_date', at, 'last_billed_to_date')
  const notBeforeSupply = each<Agreement>(({ effective_from: from }, path) => {
    if (isRead(from) && from < start)
      findings.add('agreement_start_date_before_supply_start_date', path, 'effective_from')
  })
  notBeforeSupply(agreements, below(at, 'agreements'), findings)
}
