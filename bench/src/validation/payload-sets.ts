import { generateAccounts, type GeneratorOptions } from '@account-import/example-generate-accounts'
import { manyItems } from './many-items.js'

/** Accounts that are measured together, each as JSON text. */
export type PayloadSet = Readonly<{ name: string; texts: readonly string[] }>

const generated = (name: string, options: Partial<GeneratorOptions>): PayloadSet => ({
  name,
  texts: [...generateAccounts(options)].map(({ payload }) => JSON.stringify(payload)),
})

/** What accounts are like, and what they are at worst; the last two have the same size. */
export const payloadSets = (): readonly [PayloadSet, PayloadSet, PayloadSet, PayloadSet] => [
  generated('typical', { count: 200 }),
  generated('heavy', { count: 15, profile: 'heavy' }),
  { name: '1 000 items, valid', texts: [JSON.stringify(manyItems('12.50'))] },
  { name: '1 000 items, each wrong', texts: [JSON.stringify(manyItems('12,50'))] },
]
