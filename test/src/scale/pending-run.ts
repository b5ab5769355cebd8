import { instantOf, type StagedImport } from '@account-import/core'
import { answer } from '../support/answers.js'
import type { SharedDatabase } from '../support/shared-database.js'
import type { Figure } from './figure.js'
import { median } from './median.js'
import { stageMany } from './stage-many.js'

const mostMilliseconds = 20
const measurements = 20

// What bulk processing reads at once, and what it claims by one statement.
const page = 1000
const claimed = 16

type Next = Readonly<{ staged: readonly StagedImport[]; milliseconds: number }>

/** Reads the imports after this one as bulk processing does, and claims the first of them. */
const takeNext = async (database: SharedDatabase, after: StagedImport | undefined): Promise<Next> => {
  const { stores, organisation, supplier, key } = database
  const begun = performance.now()
  const at = instantOf(Date.now())
  const request = { organisation, importSupplier: supplier, until: at, limit: page }
  const staged = await answer(
    stores.accountImports.stagedPage(after === undefined ? request : { ...request, after }),
  )
  const claims = staged.slice(0, claimed).map(({ externalAccountNumber }) => ({
    key: key(externalAccountNumber),
    token: `claim-${externalAccountNumber}`,
    at,
    expiresAt: instantOf(Date.now() + 60_000),
    countsAsAttempt: false,
  }))
  const outcomes = await answer(stores.accountImports.claim(claims))
  const milliseconds = performance.now() - begun
  if (outcomes.some(({ _tag }) => _tag !== 'claimed')) throw new Error('What is staged could not be claimed')
  await answer(stores.accountImports.release(claims))
  return { staged, milliseconds }
}

/** Stages so many imports and measures how long bulk processing waits for the next ones, from the first to the last. */
export const pendingFigure = async (database: SharedDatabase, count: number): Promise<Figure> => {
  await stageMany(database, count)
  await takeNext(database, undefined) // which connects and prepares
  const times: number[] = []
  const pages = Math.floor(count / page)
  let after: StagedImport | undefined
  for (let at = 0; at < pages; at += 1) {
    const { staged, milliseconds } = await takeNext(database, after)
    if (at % Math.ceil(pages / measurements) === 0) times.push(milliseconds)
    after = staged.at(-1)
  }
  return {
    name: `next ${page} staged, ${claimed} claimed`,
    detail: `${count} pending; first ${times[0]?.toFixed(1)}, last ${times.at(-1)?.toFixed(1)} ms`,
    value: median(times),
    unit: 'ms',
    most: mostMilliseconds,
  }
}
