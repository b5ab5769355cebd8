import { answer } from '../../../support/answers.js'
import { additions, additionTo, createdAccount, storedDetails } from '../../support/additions.js'
import type { Journey } from '../../support/journey.js'
import { failureOf, inShort } from '../../../support/results.js'
import { gasAccount } from '../../../support/samples.js'
import { freshCode, setUp } from '../../../support/set-up.js'
import { tokenOf } from '../../support/token-of.js'

const refused = (inWords: string): string => `400 ${inWords}`

const needsAnAccount: Journey = {
  title: 'nothing is added to an account that is missing, only staged, or of an unknown supplier: 404',
  run: async (t, open) => {
    const { client, supplier, process } = await open()
    await client.stageAccount(gasAccount(supplier, 'A-1'))
    for (const { name, sample, send } of additions) {
      const sendTo = (code: string, number: string) => send(client, additionTo(sample, code, number))
      for (const result of [
        await sendTo(supplier, 'A-1'),
        await sendTo(supplier, 'none'),
        await sendTo('NOBODY', 'A-1'),
      ]) {
        const { status, problem } = failureOf(result)
        t.deepEqual([status, problem.code, problem.errors], [404, 'account_not_found', []], name)
      }
    }
    await process('A-1')
    for (const { name, sample, send } of additions)
      t.is(inShort(await send(client, additionTo(sample, supplier, 'A-1'))), '201', name)
  },
}

const needsAnOngoingSupplier: Journey = {
  title: 'nothing is added while the supplier is Paused or Complete, whether the account is there or not',
  run: async (t, open) => {
    const world = await open()
    const { client, supplier, operator } = world
    await createdAccount(world)
    const before = await storedDetails(world)
    for (const status of ['paused', 'complete'] as const) {
      await answer(operator.setSupplierStatus({ code: supplier, status }))
      for (const { name, sample, send } of additions)
        for (const number of ['A-1', 'none'])
          t.is(
            inShort(await send(client, additionTo(sample, supplier, number))),
            refused('import_supplier_migration_not_ongoing'),
            name,
          )
    }
    t.deepEqual(await storedDetails(world), before)
  },
}

const isolated: Journey = {
  title: "another organisation's account answers additions byte for byte as one that does not exist",
  run: async (t, open) => {
    const world = await open()
    const { operator, supplier, raw } = world
    await createdAccount(world)
    const before = await storedDetails(world)
    const token = await tokenOf(raw, (await setUp(operator)).apiKey)
    const nobody = freshCode('SUP')
    for (const { name, path, sample } of additions) {
      const ofOther = await raw.post(path, token, additionTo(sample, supplier, 'A-1'))
      t.deepEqual(ofOther, await raw.post(path, token, additionTo(sample, nobody, 'A-1')), name)
      t.is(ofOther.status, 404, name)
    }
    t.deepEqual(await storedDetails(world), before)
  },
}

const scoped: Journey = {
  title: 'additions need the scope post-import, and only that',
  run: async (t, open) => {
    const world = await open()
    const { clientWith, operator, organisation, supplier } = world
    await createdAccount(world)
    const keyFor = async (scopes: readonly ('read' | 'stage' | 'process' | 'validate' | 'post-import')[]) =>
      clientWith((await answer(operator.createApiKey({ organisation, scopes }))).apiKey)
    const others = await keyFor(['read', 'stage', 'process', 'validate'])
    const allowed = await keyFor(['post-import'])
    for (const { name, sample, send } of additions) {
      const request = additionTo(sample, supplier, 'A-1')
      t.is(inShort(await send(others, request)), '403 permission_denied', name)
      t.is(inShort(await send(allowed, request)), '201', name)
    }
  },
}

const shapeFirst: Journey = {
  title: 'what is wrong with the form is said first and all at once, whatever the account',
  run: async (t, open) => {
    const { client, supplier, operator } = await open()
    await answer(operator.setSupplierStatus({ code: supplier, status: 'paused' }))
    for (const { name, send } of additions) {
      const { status, problem } = failureOf(await send(client, { import_supplier: supplier, extra: 1 }))
      t.deepEqual([status, problem.code], [400, 'request_failed_validation'], name)
      t.is(problem.errors[0]?.attr, 'external_account_number', name)
      t.true(problem.errors.length >= 2, name)
      t.true(
        problem.errors.every(({ code }) => code === 'required'),
        name,
      )
    }
  },
}

/** What holds for every request that adds data to a created account. */
export const additionJourneys: readonly Journey[] = [
  needsAnAccount,
  needsAnOngoingSupplier,
  isolated,
  scoped,
  shapeFirst,
]
