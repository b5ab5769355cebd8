import { instantOf } from '@account-import/core'
import type { SharedDatabase } from '../support/shared-database.js'
import { answer } from '../support/answers.js'

const batch = 1000

/** Stages so many small imports; their numbers are as long as real ones are. */
export const stageMany = async ({ stores, key, supplier }: SharedDatabase, count: number): Promise<void> => {
  for (let begin = 0; begin < count; begin += batch) {
    const stagings = Array.from({ length: Math.min(batch, count - begin) }, (_, index) => {
      const number = `LEV-${String(begin + index).padStart(9, '0')}`
      const payload = JSON.stringify({ import_supplier: supplier, external_account_number: number })
      return { key: key(number), payload, at: instantOf(Date.now()) }
    })
    await answer(stores.accountImports.stage(stagings))
  }
}
