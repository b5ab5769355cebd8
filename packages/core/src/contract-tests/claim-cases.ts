import type { ClaimRequest } from '../ports/account-imports.js'
import type { StorePorts } from '../ports/index.js'
import {
  aClaim,
  after,
  aStaging,
  claimed,
  freshCode,
  freshKey,
  freshNumber,
  freshSupplier,
  keyOf,
  start,
} from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

/** Claims: how the right to create an account is taken, lost and ended. */
export const claimCases = casesOf<StorePorts>('AccountImports', {
  'a claim hands out the staged data and counts an attempt; a dry run counts none': async (ports) => {
    const key = await freshKey(ports)
    equal(await right(ports.accountImports.claim([aClaim(key, 't')])), [{ _tag: 'not_staged' }])
    await right(ports.accountImports.stage([aStaging(key, '{"v":1}')]))
    const dry = { ...aClaim(key, freshCode('dry')), countsAsAttempt: false }
    equal(await right(ports.accountImports.claim([dry])), [
      { _tag: 'claimed', version: 1, payload: '{"v":1}' },
    ])
    await right(ports.accountImports.release([{ key, token: dry.token }]))
    const request = aClaim(key, freshCode('token'))
    equal(await right(ports.accountImports.claim([request])), [
      { _tag: 'claimed', version: 1, payload: '{"v":1}' },
    ])
    const found = await right(ports.accountImports.find(key))
    equal(found?.attempts, 1)
    equal(found?.claim, { token: request.token, expiresAt: request.expiresAt })
    equal(found?.latestFailure, undefined)
  },
  'of 50 claims of one key at the same time exactly one is taken': async (ports) => {
    const key = await freshKey(ports)
    await right(ports.accountImports.stage([aStaging(key)]))
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => right(ports.accountImports.claim([aClaim(key, freshCode('token'))]))),
    )
    const tags = outcomes.flat().map(({ _tag }) => _tag)
    equal(
      [tags.filter((tag) => tag === 'claimed').length, tags.filter((tag) => tag === 'in_progress').length],
      [1, 49],
    )
  },
  'a live claim refuses staging and other claims; when it has expired it is taken over': async (ports) => {
    const key = await freshKey(ports)
    const lost = await claimed(ports, key)
    equal(await right(ports.accountImports.claim([aClaim(key, 'other', after(59))])), [
      { _tag: 'in_progress' },
    ])
    equal(await right(ports.accountImports.stage([aStaging(key, '{}', after(59))])), [
      { _tag: 'in_progress' },
    ])
    const owner = aClaim(key, freshCode('owner'), after(60))
    equal(
      (await right(ports.accountImports.claim([owner]))).map(({ _tag }) => _tag),
      ['claimed'],
    )
    const number = freshNumber()
    const complete = (token: string) =>
      right(ports.accountImports.complete([{ key, token, platformAccountNumber: number, at: after(61) }]))
    equal(await complete(lost), ['claim_lost'])
    equal(await complete(owner.token), ['completed'])
    equal((await right(ports.accountImports.find(key)))?.created, {
      platformAccountNumber: number,
      createdAt: after(61),
      stagedVersion: 1,
    })
  },
  'an owner whose claim has expired may still complete while nobody has taken it over; that ends the claim and the latest failure':
    async (ports) => {
      const key = await freshKey(ports)
      const failed = await claimed(ports, key)
      await right(
        ports.accountImports.release([{ key, token: failed, failure: { code: 'error', at: start } }]),
      )
      const token = await claimed(ports, key)
      const completion = { key, token, platformAccountNumber: freshNumber(), at: after(300) }
      equal(await right(ports.accountImports.complete([completion])), ['completed'])
      equal(await right(ports.accountImports.complete([completion])), ['claim_lost'])
      const found = await right(ports.accountImports.find(key))
      equal([found?.claim, found?.latestFailure, found?.attempts], [undefined, undefined, 2])
    },
  'a release ends the claim and records the failure; the release of a lost claim changes nothing': async (
    ports,
  ) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    const failure = { code: 'account_failed_validation', at: after(2) }
    await right(
      ports.accountImports.release([{ key, token: 'someone else', failure: { ...failure, code: 'error' } }]),
    )
    equal((await right(ports.accountImports.find(key)))?.claim?.token, token)
    await right(ports.accountImports.release([{ key, token, failure }]))
    const found = await right(ports.accountImports.find(key))
    equal(found?.claim, undefined)
    equal(found?.latestFailure, { code: failure.code, occurredAt: failure.at })
    equal(
      (await right(ports.accountImports.claim([aClaim(key, freshCode('token'), after(3))]))).map(
        ({ _tag }) => _tag,
      ),
      ['claimed'],
    )
  },
  'a list of claims answers one outcome for each item, in its order': async (ports) => {
    const supplier = await freshSupplier(ports)
    const keys = ['c', 'a', 'b'].map((name) => keyOf(supplier, name))
    const [free, unknown, busy] = keys
    if (!free || !unknown || !busy) throw new Error('three keys')
    await right(ports.accountImports.stage([aStaging(free, '{"free":1}')]))
    await claimed(ports, busy)
    const outcomes = await right(
      ports.accountImports.claim(keys.map((key) => aClaim(key, freshCode('token'), after(1)))),
    )
    equal(outcomes, [
      { _tag: 'claimed', version: 1, payload: '{"free":1}' },
      { _tag: 'not_staged' },
      { _tag: 'in_progress' },
    ])
  },
  'an import that was created is said to be imported, with its number, by staging, claims and marks': async (
    ports,
  ) => {
    const key = await freshKey(ports)
    const token = await claimed(ports, key)
    const platformAccountNumber = freshNumber()
    await right(ports.accountImports.complete([{ key, token, platformAccountNumber, at: start }]))
    const refusal = { _tag: 'already_imported', platformAccountNumber }
    equal(await right(ports.accountImports.stage([aStaging(key)])), [refusal])
    equal(await right(ports.accountImports.claim([aClaim(key, 'other', after(100))])), [refusal])
    equal(await right(ports.accountImports.setSkipped(key, true, start)), 'already_imported')
  },
  'a pair that was never staged is said to be marked to be skipped, if it is': async (ports) => {
    const key = await freshKey(ports)
    equal(await right(ports.accountImports.setSkipped(key, true, start)), 'changed')
    equal(await right(ports.accountImports.claim([aClaim(key, 't')])), [{ _tag: 'marked_to_skip' }])
    equal(await right(ports.accountImports.setSkipped(key, false, start)), 'changed')
    equal(await right(ports.accountImports.claim([aClaim(key, 't')])), [{ _tag: 'not_staged' }])
  },
  'claims at the same time each get their own data, by their own time and count': async (ports) => {
    const suppliers = [await freshSupplier(ports), await freshSupplier(ports)]
    const keys = suppliers.flatMap((supplier) =>
      Array.from({ length: 20 }, (_, index) => keyOf(supplier, `n-${index}`)),
    )
    await right(
      ports.accountImports.stage(
        keys.map((key) => aStaging(key, `{"of":"${key.importSupplier}/${key.externalAccountNumber}"}`)),
      ),
    )
    const first = keys.map((key) => aClaim(key, freshCode('token')))
    await right(ports.accountImports.claim(first))
    const again = keys.map((key, index) => ({
      ...aClaim(key, freshCode('token'), after(index % 2 === 0 ? 59.999 : 60)),
      countsAsAttempt: index % 3 === 0,
    }))
    const outcomes = await Promise.all(again.map((request) => right(ports.accountImports.claim([request]))))
    for (const [index, key] of keys.entries()) {
      const isTaken = index % 2 === 1
      const payload = `{"of":"${key.importSupplier}/${key.externalAccountNumber}"}`
      equal(outcomes[index], [isTaken ? { _tag: 'claimed', version: 1, payload } : { _tag: 'in_progress' }])
      const { token, expiresAt } = (isTaken ? again : first)[index] as ClaimRequest
      const found = await right(ports.accountImports.find(key))
      equal(found?.claim, { token, expiresAt })
      equal(found?.attempts, isTaken && index % 3 === 0 ? 2 : 1)
    }
  },
  'of completions in one list a lost claim fails its own alone, in whatever order they come': async (
    ports,
  ) => {
    const suppliers = [await freshSupplier(ports), await freshSupplier(ports)]
    const keys = ['c', 'a', 'b'].flatMap((name) => suppliers.map((supplier) => keyOf(supplier, name)))
    const tokens = await Promise.all(keys.map((key) => claimed(ports, key)))
    const completions = keys.map((key, index) => ({
      key,
      token: index === 2 ? 'someone else' : (tokens[index] ?? ''),
      platformAccountNumber: freshNumber(),
      at: after(index),
    }))
    const outcomes = await right(
      ports.unitOfWork.run((stores) => stores.accountImports.complete(completions)),
    )
    equal(
      outcomes,
      completions.map((_, index) => (index === 2 ? 'claim_lost' : 'completed')),
    )
    for (const [index, { key, platformAccountNumber, at }] of completions.entries()) {
      const found = await right(ports.accountImports.find(key))
      equal(
        [found?.created, found?.claim?.token],
        index === 2
          ? [undefined, tokens[index]]
          : [{ platformAccountNumber, createdAt: at, stagedVersion: 1 }, undefined],
      )
    }
  },
})
