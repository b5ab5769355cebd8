/** How much each account holds: the last month alone, as much as in a usual migration, or about 100 KB of it. */
export type Profile = 'small' | 'typical' | 'heavy'

export const profiles: readonly Profile[] = ['small', 'typical', 'heavy']

/**
 * The options of the generator.
 *
 * - `count`: how many accounts, 0 and up
 * - `seed`: any text; the same options give the same accounts, on every machine
 * - `supplier`: the import supplier that the accounts name
 * - `prefix`: begins each account number; empty for the first three letters of the supplier
 * - `invalidShare`: probability, 0 to 1, that an account has errors (1 to 5 faults)
 * - `warningShare`: probability, 0 to 1, that it has warnings only; both together are at most 1
 */
export type GeneratorOptions = Readonly<{
  count: number
  seed: string
  supplier: string
  prefix: string
  invalidShare: number
  warningShare: number
  profile: Profile
}>

export const defaultOptions: GeneratorOptions = {
  count: 1000,
  seed: '1',
  supplier: 'LEVANTE',
  prefix: '',
  invalidShare: 0,
  warningShare: 0,
  profile: 'typical',
}
