import { below, type KeyPath } from '../../key-path.js'
import { isRead, itemsOf } from '../../readable.js'
import type { RuleFindings } from '../../rule-findings.js'
import { isAtrTariff } from './atr-tariff.js'
import { atrTariffInForce } from './atr-tariff-in-force.js'
import { cupsOf, distributorOf } from './cups.js'
import { isFourDigits } from './four-digits.js'
import { powerRules } from './power-rules.js'
import type { SupplyPoint } from './supply-point.js'
import type { EsCode } from './codes.js'

const identifierRule = (point: SupplyPoint, at: KeyPath, findings: RuleFindings<EsCode>): void => {
  const { identifier, distributor_ree_code: distributor } = point
  const cups = isRead(identifier) ? cupsOf(identifier) : undefined
  if (isRead(identifier) && cups === undefined)
    findings.add('invalid_supply_point_identifier', at, 'identifier')
  if (!isRead(distributor)) return
  if (!isFourDigits(distributor)) findings.add('invalid_distributor_ree_code', at, 'distributor_ree_code')
  else if (cups !== undefined && distributorOf(cups) !== distributor)
    findings.add('distributor_ree_code_mismatch', at, 'distributor_ree_code')
}

const tariffRule = (
  { supply_type, atr_tariffs }: SupplyPoint,
  at: KeyPath,
  findings: RuleFindings<EsCode>,
): void => {
  if (!isRead(supply_type)) return
  const tariffs = itemsOf(atr_tariffs)
  for (let index = 0; index < tariffs.length; index++) {
    const tariff = tariffs[index]
    if (!isRead(tariff) || !isRead(tariff.value) || isAtrTariff(supply_type, tariff.value)) continue
    findings.add('unknown_atr_tariff', below(below(at, 'atr_tariffs'), index), 'value')
  }
}

const agreementRules = (point: SupplyPoint, at: KeyPath, findings: RuleFindings<EsCode>): void => {
  const tariffOn = atrTariffInForce(point)
  const agreements = itemsOf(point.agreements)
  for (let index = 0; index < agreements.length; index++) {
    const agreement = agreements[index]
    if (!isRead(agreement)) continue
    const agreementAt = below(below(at, 'agreements'), index)
    if (isRead(agreement.cnae) && !isFourDigits(agreement.cnae))
      findings.add('invalid_cnae', agreementAt, 'cnae')
    if (point.supply_type === 'ELECTRICITY') powerRules(agreement, tariffOn, agreementAt, findings)
  }
}

/** The rules over one supply point in Spain: identifier, distributor, access tariffs, activity codes, power. */
export const supplyPointRules = (point: SupplyPoint, at: KeyPath, findings: RuleFindings<EsCode>): void => {
  identifierRule(point, at, findings)
  tariffRule(point, at, findings)
  agreementRules(point, at, findings)
}
