import { accountKeyText, E } from '@account-import/core/adapter-kit'
import {
  expectRefusal,
  hearNumber,
  importSupplier,
  isCreated,
  keyOf,
  organisation,
  type Client,
} from './client.js'

export const look = async (client: Client, number: string): Promise<void> => {
  const wasCreated = isCreated(client, number)
  const wasStaged = client.known.stagings.has(number)
  const answer = await client.ask(({ transferStatus }) => transferStatus(keyOf(number)))
  if (answer === undefined) return
  if (E.isLeft(answer))
    return expectRefusal(client, !wasCreated && !wasStaged, `asking for ${number}`, answer.left)
  const { status, platformAccountNumber } = answer.right
  if (platformAccountNumber !== undefined) hearNumber(client, number, platformAccountNumber)
  if (wasCreated !== (status === 'COMPLETED') && wasCreated)
    client.known.violations.push(`I2, I4: ${number} is ${status} after it was created`)
}

export const list = async (client: Client): Promise<void> => {
  const { sent, violations } = client.known
  const before = [...sent.told.keys()]
  const request = { organisation, importSupplier, list: 'imported' as const, after: undefined, limit: 100 }
  const answer = await client.ask(({ accountImportsPage }) => accountImportsPage(request))
  if (answer === undefined) return
  if (E.isLeft(answer)) return expectRefusal(client, false, 'a list', answer.left)
  const { items } = answer.right
  for (const { externalAccountNumber, platformAccountNumber } of items)
    hearNumber(client, externalAccountNumber, String(platformAccountNumber))
  const listed = new Set(items.map((item) => accountKeyText(keyOf(item.externalAccountNumber))))
  for (const key of before) if (!listed.has(key)) violations.push(`I2: ${key} was created and is not listed`)
}

export const skip = async (client: Client, number: string, skipped: boolean): Promise<void> => {
  const wasCreated = isCreated(client, number)
  const named = { importSupplier, externalAccountNumber: number, skipped }
  const answer = await client.ask(({ operator }) => operator.setSkipped(named))
  if (answer === undefined) return
  if (E.isRight(answer)) {
    if (wasCreated) client.known.violations.push(`I7: ${number} was marked after it was created`)
    return
  }
  const isExpected = answer.left._tag === 'AccountIsImported' || !wasCreated
  expectRefusal(client, isExpected, `marking ${number}`, answer.left)
}

/** Each change adds a domain of its own, so that one that is lost is missed. */
export const configure = async (client: Client): Promise<void> => {
  const { domains, nextName } = client.known
  const domain = `${nextName()}.example`
  domains.set(domain, false)
  const answer = await client.ask(({ operator }) =>
    operator.configureSupplier({
      code: importSupplier,
      change: (settings) => ({
        ...settings,
        internalEmailDomains: [...settings.internalEmailDomains, domain],
      }),
    }),
  )
  if (answer === undefined) return
  if (E.isLeft(answer)) return expectRefusal(client, false, 'a change of settings', answer.left)
  domains.set(domain, true)
}

export const pause = async (client: Client): Promise<void> => {
  for (const status of ['paused', 'ongoing'] as const) {
    const answer = await client.ask(({ operator }) =>
      operator.setSupplierStatus({ code: importSupplier, status }),
    )
    if (answer !== undefined && E.isLeft(answer))
      expectRefusal(client, false, `making it ${status}`, answer.left)
  }
}

/** A token works; the token to refresh it works once, of two uses at once too. */
export const signIn = async (client: Client): Promise<void> => {
  const { apiKey, violations } = client.known
  const address = `client ${client.ordinal}`
  const tokens = await client.ask(({ obtainToken }) => obtainToken({ credentials: { apiKey }, address }))
  if (tokens === undefined) return
  if (E.isLeft(tokens)) return expectRefusal(client, false, 'an API key', tokens.left)
  const { token, refreshToken } = tokens.right
  const claims = await client.ask(({ authenticate }) => authenticate(token))
  if (claims !== undefined && E.isLeft(claims)) expectRefusal(client, false, 'a token', claims.left)
  const refresh = () =>
    client.ask(({ obtainToken }) => obtainToken({ credentials: { refreshToken }, address }))
  const uses = await Promise.all([refresh(), refresh()])
  const granted = uses.filter((use) => use !== undefined && E.isRight(use)).length
  if (granted > 1) violations.push('I5: a refresh token was used twice')
  if (granted === 0 && uses.every((use) => use !== undefined))
    violations.push('I2: a refresh token was refused')
}

export const deliver = async (client: Client): Promise<void> => {
  const claimed = await client.ask(({ emails }) => emails.claimDue(2))
  if (claimed === undefined || E.isLeft(claimed)) return
  for (const email of claimed.right)
    await client.ask(({ emails }) => emails.deliver(email, new AbortController().signal))
}
