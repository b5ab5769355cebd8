import type { ChainBreak, ChainHead, ListedEvent, UseCases } from '@account-import/core'
import { gasKey, organisation, processGas, right, sample } from './service.js'

export const by = { who: 'key 1 (CRM)', requestId: 'request-1' }

export const listed = async (
  useCases: UseCases,
  wanted: Parameters<UseCases['audit']['list']>[0] = {},
): Promise<readonly ListedEvent[]> => {
  const entries = []
  for await (const page of await right(useCases.audit.list(wanted))) entries.push(...(await right(page)))
  return entries
}

export const auditedActions = async (useCases: UseCases, wanted = {}): Promise<readonly string[]> =>
  (await listed(useCases, wanted)).map(({ entry }) => entry.what)

export const verified = async (useCases: UseCases, heads: readonly ChainHead[] = [], of?: string) => {
  let events = 0
  const breaks: ChainBreak[] = []
  const input = of === undefined ? { heads } : { heads, organisation: of }
  for await (const found of await right(useCases.audit.verify(input))) {
    events += found.events
    breaks.push(...found.breaks)
  }
  return { events, breaks }
}

export const stage = (useCases: UseCases, number = gasKey.externalAccountNumber) =>
  right(
    useCases.stageAccount({
      organisation,
      by,
      payload: { ...sample('gas-account'), external_account_number: number },
    }),
  )

export const process = (useCases: UseCases) =>
  right(useCases.processAccount({ organisation, by, payload: processGas }))
