import { below, type Place } from '../../place.js'
import { isRead, itemsOf } from '../../readable.js'
import type { Report } from '../../report.js'
import { isAtrTariff } from './atr-tariff.js'
import { atrTariffInForce } from './atr-tariff-in-force.js'
import { cupsOf, distributorOf } from './cups.js'
import { isFourDigits } from './four-digits.js'
import { judgePower } from './power-rules.js'
import type { SupplyPoint } from './supply-point.js'
import type { EsCode } from './codes.js'

const judgeIdentifier = (point: SupplyPoint, at: Place, report: Report<EsCode>): void => {
  const { identifier, distributor_ree_code: distributor } = point
  const cups = isRead(identifier) ? cupsOf(identifier) : undefined
  if (isRead(identifier) && cups === undefined)
    report.add('invalid_supply_point_identifier', at, 'identifier')
  if (!isRead(distributor)) return
  if (!isFourDigits(distributor)) report.add('invalid_distributor_ree_code', at, 'distributor_ree_code')
  else if (cups !== undefined && distributorOf(cups) !== distributor)
    report.add('distributor_ree_code_mismatch', at, 'distributor_ree_code')
}

const judgeTariffs = ({ supply_type, atr_tariffs }: SupplyPoint, at: Place, report: Report<EsCode>): void => {
  if (!isRead(supply_type)) return
  const tariffs = itemsOf(atr_tariffs)
  for (let index = 0; index < tariffs.length; index++) {
    const tariff = tariffs[index]
    if (!isRead(tariff) || !isRead(tariff.value) || isAtrTariff(supply_type, tariff.value)) continue
    report.add('unknown_atr_tariff', below(below(at, 'atr_tariffs'), index), 'value')
  }
}

const judgeAgreements = (point: SupplyPoint, at: Place, report: Report<EsCode>): void => {
  const tariffOn = atrTariffInForce(point)
  const agreements = itemsOf(point.agreements)
  for (let index = 0; index < agreements.length; index++) {
    const agreement = agreements[index]
    if (!isRead(agreement)) continue
    const agreementAt = below(below(at, 'agreements'), index)
    if (isRead(agreement.cnae) && !isFourDigits(agreement.cnae))
      report.add('invalid_cnae', agreementAt, 'cnae')
    if (point.supply_type === 'ELECTRICITY') judgePower(agreement, tariffOn, agreementAt, report)
  }
}

/** The rules over one supply point in Spain: identifier, distributor, access tariffs, activity codes, power. */
export const judgeSupplyPoint = (point: SupplyPoint, at: Place, report: Report<EsCode>): void => {
  judgeIdentifier(point, at, report)
  judgeTariffs(point, at, report)
  judgeAgreements(point, at, report)
}
