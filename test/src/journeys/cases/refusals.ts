import { answer } from '../../support/answers.js'
import type { Journey } from '../support/journey.js'
import { failureOf, inShort, successOf } from '../../support/results.js'
import { gasAccount } from '../../support/samples.js'

const dryRunText = 'Account would successfully import. Rolled back due to Dry Run.'

const dryRun: Journey = {
  title: 'a dry run answers 400 with the exact text, creates nothing and counts as no attempt',
  run: async (t, open) => {
    const { client, supplier, team, stores, key, process } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    const request = {
      external_account_number: 'A-1',
      import_supplier_code: supplier,
      operations_team_name: team,
    }
    for (let time = 0; time < 2; time += 1) {
      const { status, problem } = failureOf(await client.processAccount({ ...request, dry_run: true }))
      t.is(status, 400)
      t.deepEqual(problem, { detail: dryRunText, code: 'dry_run_succeeded', errors: [] })
    }
    t.is(await answer(stores.accounts.find(key('A-1'))), undefined)
    const { body } = successOf(await client.transferStatus(supplier, 'A-1'))
    t.deepEqual(body, { status: 'UNKNOWN', platform_account_number: '', attempts: 0 })
    t.is((await process('A-1')).status, 201)
  },
}

const alreadyImported: Journey = {
  title: 'an imported account is refused by stage and process, with both account numbers',
  run: async (t, open) => {
    const { client, supplier, process } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    const { body } = successOf(await process('A-1'))
    for (const result of [await process('A-1'), await client.stageAccount(gasAccount(supplier, 'A-1'))]) {
      const { status, problem } = failureOf(result)
      t.is(status, 400)
      t.deepEqual<unknown, unknown>(problem, {
        detail: problem.detail,
        code: 'account_already_imported',
        errors: [],
        external_account_number: 'A-1',
        platform_account_number: body.platform_account_number,
      })
    }
    const status = successOf(await client.transferStatus(supplier, 'A-1'))
    t.is(status.body.attempts, 1)
  },
}

const closedSupplier: Journey = {
  title: 'a Paused or Complete supplier refuses stage and process until it is Ongoing again',
  run: async (t, open) => {
    const { client, supplier, operator, process } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    for (const status of ['paused', 'complete'] as const) {
      await answer(operator.setSupplierStatus({ code: supplier, status }))
      const refused = '400 import_supplier_migration_not_ongoing'
      t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-1'))), refused)
      t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-2'))), refused)
      t.is(inShort(await process('A-1')), refused)
    }
    t.is(inShort(await client.transferStatus(supplier, 'A-2')), '404 import_process_does_not_exist')
    await answer(operator.setSupplierStatus({ code: supplier, status: 'ongoing' }))
    t.is(inShort(await process('A-1')), '201')
  },
}

const skipped: Journey = {
  title: 'an account marked to skip is refused by stage and process until the mark is removed',
  run: async (t, open) => {
    const { client, supplier, operator, process } = await open()
    const mark = (externalAccountNumber: string, skip: boolean) =>
      answer(operator.setSkipped({ importSupplier: supplier, externalAccountNumber, skipped: skip }))
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    await mark('A-1', true)
    await mark('never staged', true)
    for (const number of ['A-1', 'never staged']) {
      t.is(inShort(await client.stageAccount(gasAccount(supplier, number))), '400 account_marked_to_skip')
      t.is(inShort(await process(number)), '400 account_marked_to_skip')
      const { body } = successOf(await client.transferStatus(supplier, number))
      t.deepEqual(body, { status: 'UNKNOWN', platform_account_number: '', attempts: 0 })
    }
    const { body } = successOf(await client.listAccountImports({ importSupplier: supplier, list: 'pending' }))
    t.deepEqual(body, [])
    await mark('A-1', false)
    await mark('never staged', false)
    t.is(inShort(await process('A-1')), '201')
    t.is(inShort(await client.stageAccount(gasAccount(supplier, 'never staged'))), '201')
  },
}

const nothingToProcess: Journey = {
  title: 'processing names what is missing: staged data, or the team',
  run: async (t, open) => {
    const { client, supplier, process } = await open()
    t.is(inShort(await process('A-1')), '400 import_process_does_not_exist')
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    const request = { external_account_number: 'A-1', import_supplier_code: supplier }
    const unknown = await client.processAccount({ ...request, operations_team_name: 'nobody' })
    t.is(inShort(unknown), '400 operations_team_name_does_not_exist')
    const { body } = successOf(await client.transferStatus(supplier, 'A-1'))
    t.deepEqual(body, { status: 'UNKNOWN', platform_account_number: '', attempts: 0 })
  },
}

const staleData: Journey = {
  title:
    'staged data that today’s rules refuse fails in process, counts as an attempt, and can be staged anew',
  run: async (t, open) => {
    const { client, supplier, operator, process } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    const closeList = (closed: boolean) =>
      answer(
        operator.configureSupplier({
          code: supplier,
          change: (settings) => ({
            ...settings,
            closedLists: closed ? { sales_channel: { members: ['NONE'], severity: 'error' } } : {},
          }),
        }),
      )
    await closeList(true)
    const failed = failureOf(await process('A-1'))
    t.is(failed.problem.code, 'account_failed_validation')
    t.deepEqual(
      failed.problem.errors.map(({ attr, code }) => [attr, code]),
      [['sales_channel', 'not_in_supplier_list']],
    )
    const { body } = successOf(await client.transferStatus(supplier, 'A-1'))
    t.is(body.attempts, 1)
    t.is(body.latest_error?.code, 'account_failed_validation')
    await closeList(false)
    t.is(inShort(await client.stageAccount(gasAccount(supplier, 'A-1'))), '200')
    t.is(inShort(await process('A-1')), '201')
  },
}

/** What stage and process refuse, and that refused requests leave things as they were. */
export const refusalJourneys: readonly Journey[] = [
  dryRun,
  alreadyImported,
  closedSupplier,
  skipped,
  nothingToProcess,
  staleData,
]
