import { type CatalogueEntry, changeableWarning } from '../../../catalogue/entry.js'

/** Checks of Spanish identifiers, codes and access tariffs. */
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
  contractual_max_power_over_tariff_limit: changeableWarning(
    'This access tariff allows at most 15 000 watts in each period. Check the tariff and the power.',
  ),
  contractual_max_power_not_ascending: changeableWarning(
    'With this access tariff no period may have less power than the one before. Check the order of the values.',
  ),
  invalid_fiscal_code: changeableWarning(
    'This is not a valid Spanish fiscal code. Check its letters and digits.',
  ),
} satisfies Record<string, CatalogueEntry>

/** A code of the Spanish market. */
export type EsCode = keyof typeof codes
