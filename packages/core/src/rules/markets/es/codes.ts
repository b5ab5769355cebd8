import { type CatalogueEntry, changeableWarning } from '../../../catalogue/entry.js'

/** Checks of Spanish identifiers, codes, access tariffs, units and periods. */
export const codes = {
  invalid_supply_point_identifier: changeableWarning(
    'This is not a valid CUPS. Check its length, digits and check letters.',
  ),
  invalid_distributor_ree_code: changeableWarning(
    'The distributor code should have four digits. Keep leading zeros.',
  ),
  distributor_ree_code_mismatch: changeableWarning(
    'The distributor code differs from the one inside the CUPS. Check both; after a merger this can be right.',
  ),
  invalid_postcode: changeableWarning(
    'A Spanish postal code has five digits and begins with 01 to 52. Keep leading zeros.',
  ),
  invalid_cnae: changeableWarning(
    'The activity code should have four digits. Correct it; 9820 stands for households.',
  ),
  unknown_atr_tariff: changeableWarning(
    'This access tariff is not known for the supply type. Check its spelling.',
  ),
  atr_tariff_outside_its_time: changeableWarning(
    'This access tariff was not in force in the whole time from its valid_from to the next one. Electricity changed on 2021-06-01, gas on 2021-10-01.',
  ),
  distributor_of_other_supply_type: changeableWarning(
    'This distributor does not supply this kind of energy: codes of gas are 0201 to 0242. Check supply_type and the identifier.',
  ),
  contractual_max_power_over_tariff_limit: changeableWarning(
    'This access tariff allows at most 15 000 watts in each period. Check the tariff and the power.',
  ),
  contractual_max_power_not_ascending: changeableWarning(
    'With this access tariff no period may have less power than the one before. Check the order of the values.',
  ),
  contractual_max_power_below_100_watts: changeableWarning(
    'A period has less than 100 watts. These may be kilowatts: watts are kilowatts × 1000, so 4.6 kW are 4600.',
  ),
  consumption_over_contracted_power: changeableWarning(
    'The contracted power cannot reach this consumption: a year has at most kilowatts × 8760 hours, an interval three times kilowatts × its hours. These may be watt hours: kWh are Wh / 1000.',
  ),
  periods_share_days: changeableWarning(
    'Most periods begin on the last day of another. Both days are inclusive here: if the first day is exclusive in the source, add one day to it.',
  ),
  end_date_means_no_end: changeableWarning(
    'An end in the year 2900 or later mostly means that there is no end. Leave the field out.',
  ),
  invalid_fiscal_code: changeableWarning(
    'This is not a valid Spanish fiscal code. Check its letters and digits.',
  ),
} satisfies Record<string, CatalogueEntry>

/** A code of the Spanish market. */
export type EsCode = keyof typeof codes
