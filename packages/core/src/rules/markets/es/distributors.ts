import type { Distributors } from './tables.js'

/**
 * Distributors by their codes.
 *
 * Sources, read on 2026-11-28: gisce/gestionatr 2fd8280 (4.15.2). The pairs of a CUPS prefix and a code are its table of companies by region:
 * within one company the code depends on the region. The codes of gas are its table of subjects. There 0217 is missing, and
 * codes below 0201 are of other kinds of company. 0224 is Gas Galicia, and in electricity the distributor of Jafre.
 */
export const distributors: Distributors = {
  regional: [
    { prefix: '00311', distributor: '0023' }, // Andalusia
    { prefix: '00313', distributor: '0120' }, // Aragon
    { prefix: '003130', distributor: '0029' }, // Aragon
    { prefix: '00315', distributor: '0288' }, // Balearic Islands
    { prefix: '00316', distributor: '0363' }, // Canary Islands
    { prefix: '03900', distributor: '0022' }, // UFD
    { prefix: '02240', distributor: '0224' }, // Jafre
  ],
  gas: [
    '0201',
    '0202',
    '0203',
    '0204',
    '0205',
    '0206',
    '0207',
    '0208',
    '0209',
    '0210',
    '0211',
    '0212',
    '0213',
    '0214',
    '0215',
    '0216',
    '0218',
    '0219',
    '0220',
    '0221',
    '0222',
    '0223',
    '0224',
    '0225',
    '0226',
    '0227',
    '0228',
    '0229',
    '0230',
    '0231',
    '0232',
    '0233',
    '0234',
    '0235',
    '0236',
    '0237',
    '0238',
    '0239',
    '0240',
    '0241',
    '0242',
  ],
  both: ['0224'],
  electricity: ['0288', '0363', '0390'],
}
