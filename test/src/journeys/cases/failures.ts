import type { PlatformAccountNumbers } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import { failureOf, inShort, successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'

/** Hands out these numbers, one after the other. */
const numbersInTurn = (numbers: string[]): PlatformAccountNumbers => ({
  next: () => TE.fromIO(() => numbers.shift() ?? 'NONE-LEFT'),
})

const failedCreation: Journey = {
  title:
    'an account that cannot be stored is rolled back whole, recorded as a failed attempt, and can be tried again',
  run: async (t, open) => {
    const platformAccountNumbers = numbersInTurn(['TAKEN', 'TAKEN', 'FREE'])
    const { client, supplier, process, stores, key } = await open({ ports: { platformAccountNumbers } })
    for (const number of ['A-1', 'A-2']) await client.stageAccount(gasAccount(supplier, number))
    t.is(inShort(await process('A-1')), '201')
    const first = await answer(stores.accounts.find(key('A-1')))

    const { status, problem, requestId } = failureOf(await process('A-2'))
    t.is(status, 500)
    t.deepEqual<unknown, unknown>(problem, {
      detail: problem.detail,
      code: 'error',
      errors: [],
      request_id: requestId,
    })
    t.notRegex(problem.detail, /TAKEN|insert|unique|duplicate/i)
    t.is(await answer(stores.accounts.find(key('A-2'))), undefined)
    t.deepEqual(await answer(stores.accounts.find(key('A-1'))), first)
    const failed = successOf(await client.transferStatus(supplier, 'A-2')).body
    t.like(failed, {
      status: 'UNKNOWN',
      platform_account_number: '',
      attempts: 1,
      latest_error: { code: 'error' },
    })

    t.deepEqual(successOf(await process('A-2')).body, { platform_account_number: 'FREE' })
    t.is((await answer(stores.accounts.find(key('A-2'))))?.details.customers.length, 1)
    const created = successOf(await client.transferStatus(supplier, 'A-2')).body
    t.like(created, { status: 'COMPLETED', platform_account_number: 'FREE', attempts: 2 })
  },
}

export const failureJourneys: readonly Journey[] = [failedCreation]
