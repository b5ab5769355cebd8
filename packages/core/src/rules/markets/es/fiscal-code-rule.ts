import { FAILED } from '../../../codec/failed.js'
import { below } from '../../key-path.js'
import { isRead, itemsOf } from '../../readable.js'
import type { MarketRule } from '../market-pack.js'
import { isFiscalCode } from './fiscal-code.js'
import type { EsCode } from './codes.js'

/** Reports `invalid_fiscal_code`, wherever the account is supplied: a customer's details name no country. */
export const fiscalCodeRule: MarketRule<EsCode> = ({ customers }, findings) => {
  itemsOf(customers).forEach((customer, index) => {
    if (customer === FAILED) return
    itemsOf(customer.user_details).forEach((detail, detailIndex) => {
      if (detail === FAILED || detail.namespace !== 'fiscal_code') return
      if (!isRead(detail.value) || isFiscalCode(detail.value)) return
      const at = below(below(below(below(undefined, 'customers'), index), 'user_details'), detailIndex)
      findings.add('invalid_fiscal_code', at, 'value')
    })
  })
}
