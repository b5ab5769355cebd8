import {
  type Authenticated,
  detailOf,
  type FieldError,
  type UseCases,
  type TokenUse,
  whoHasKey,
} from '@account-import/core'
import { E, type Either, pipe } from '@account-import/core/fp'
import { isShownKey } from '@account-import/core/payloads'
import {
  addressCodecs,
  type Addresses,
  fieldErrorsOf,
  type Refusal,
  type TransportRefusal,
} from '@account-import/http-contract'
import type { Router } from '@koa/router'
import type { IncomingMessage } from 'node:http'
import { refuse } from './answers.js'
import { type AppContext, type AppState, loggedFailure, whenClosed, type Session } from './context.js'

const json = ['application/json', 'application/json; charset=utf-8']

/** Refuses a request whose `Accept` matches none of the types; an absent header accepts any type. */
export const acceptable = (
  ctx: AppContext,
  types: readonly string[] = json,
): Either<TransportRefusal, object> => {
  const accept = ctx.req.headers.accept
  const accepted =
    accept === undefined || accept === '*/*' || accept === 'application/json' || ctx.accepts([...types])
  return accepted === false ? E.left({ _tag: 'NotAcceptable' }) : E.right({})
}

/** Refuses a method that an address does not allow; GET allows HEAD too. */
export const allowMethod = (allowed: 'GET' | 'POST', method: string): Either<TransportRefusal, undefined> => {
  const allow = allowed === 'GET' ? ['GET', 'HEAD'] : [allowed]
  return allow.includes(method) ? E.right(undefined) : E.left({ _tag: 'MethodNotAllowed', allow })
}

/** Answers GET and HEAD without a token; other methods are refused. `route`: the path for the log. */
export const openly =
  (route: string, answer: (ctx: AppContext) => void | Promise<void>) =>
  async (ctx: AppContext): Promise<void> => {
    ctx.state.accountImport.route = route
    const allowed = allowMethod('GET', ctx.method)
    if (E.isLeft(allowed)) refuse(ctx, allowed.left)
    else await answer(ctx)
  }

/** Mounts an answer that needs no token at a path pattern, for GET and HEAD. `route`: its name in the log. */
export const putOpenly = (
  router: Router<AppState>,
  pattern: string,
  route: string,
  answer: (ctx: AppContext) => void | Promise<void>,
): void => {
  router.all(pattern, openly(route, answer))
}

const credentials = /^(?:Token|Bearer|JWT) +([^\s,]+)$/i

/** Refuses repeated `Authorization` headers: Node keeps the first one, and a proxy may have checked another. */
const tokenIn = ({ headersDistinct }: IncomingMessage): Either<Refusal, string> => {
  const [header = '', ...others] = headersDistinct['authorization'] ?? []
  if (header === '' && others.length === 0) return E.left({ _tag: 'NotAuthenticated' })
  const token = others.length === 0 ? credentials.exec(header)?.[1] : undefined
  return token === undefined ? E.left({ _tag: 'AuthenticationFailed' }) : E.right(token)
}

/** The access by a token, if it is valid for its use. */
export const sessionOf = async (
  { accountImport }: AppState,
  useCases: Pick<UseCases, 'authenticate' | 'reauthenticate'>,
  token: string,
  use?: TokenUse,
): Promise<Either<Refusal, Session & Authenticated>> => {
  const claims = await useCases.authenticate(token, use)
  if (E.isLeft(claims)) return claims
  const { apiKeyId, keyName, organisation } = claims.right
  Object.assign(accountImport, { organisation, apiKeyId })
  const inForce = () => useCases.reauthenticate(claims.right)
  return E.right({ ...claims.right, who: whoHasKey(apiKeyId, keyName), inForce })
}

/** The access by the token of the header. */
export const tokenSession = async (
  ctx: AppContext,
  useCases: Pick<UseCases, 'authenticate' | 'reauthenticate'>,
): Promise<Either<Refusal, Session>> => {
  const token = tokenIn(ctx.req)
  return E.isLeft(token) ? token : sessionOf(ctx.state, useCases, token.right)
}

/** The key of a request was revoked, or its organisation disabled, or its session ended, during the response. */
class AccessEnded extends Error {
  override readonly name = 'AccessEnded'
}

/**
 * Ends the connection of a request when its access has ended or cannot be checked. For requests that take longer than a revocation
 * may: within 60 seconds, as `inForce` reads the store once in 30 seconds.
 */
export const endWithAccess = (
  { res, state }: AppContext,
  inForce: () => ReturnType<UseCases['reauthenticate']>,
  everyMilliseconds: number,
): void => {
  const end = (cause: unknown): void => {
    state.accountImport.failure ??= loggedFailure(cause)
    res.destroy()
  }
  const check = async (): Promise<void> => {
    const answer = await inForce()
    if (E.isLeft(answer)) end(answer.left._tag === 'PortFailure' ? answer.left : new AccessEnded())
  }
  const timer = setInterval(() => void check().catch(end), everyMilliseconds).unref()
  whenClosed(res, () => clearInterval(timer))
}

/** An undecoded path contains printable ASCII only. */
const undecoded = /^[!-~]*$/

const decoded = (part: string): string | undefined => {
  if (!undecoded.test(part)) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign without two digits, or bytes that are no UTF-8.
    return undefined
  }
}

const namesIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Parameters that no codec knows. A request that changes data is refused: its client relies on what they say. */
const unknownParameters = (names: readonly string[], known: object): readonly FieldError[] =>
  names.flatMap((name) =>
    Object.hasOwn(known, name)
      ? []
      : [{ detail: detailOf('unknown_field'), code: 'unknown_field', attr: isShownKey(name) ? name : '' }],
  )

/**
 * Decodes path parameters and query by an endpoint's codecs. `captures`: the encoded parameters in the order of the path; each is
 * percent-decoded once, here. A malformed parameter cannot name anything, so it is 404. GET ignores unknown parameters of the query.
 */
export const addressDecoder = <Params extends keyof Addresses, Query extends keyof Addresses>(
  endpoint: Readonly<{ method: 'GET' | 'POST'; path: string; params?: Params; query?: Query }>,
) => {
  const names = namesIn(endpoint.path)
  const codec = addressCodecs[endpoint.query ?? ('none' as Query)]
  return (
    captures: readonly string[],
    query: AppContext['query'],
  ): Either<Refusal, Readonly<{ params: Addresses[Params]; query: Addresses[Query] }>> =>
    pipe(
      addressCodecs[endpoint.params ?? ('none' as Params)].decode(
        Object.fromEntries(names.map((name, i) => [name, decoded(captures[i] ?? '')])),
      ),
      E.mapLeft((): Refusal => ({ _tag: 'NothingHere' })),
      E.bindTo('params'),
      E.bind('query', () => {
        const read = codec.decode(query)
        const unknown = endpoint.method === 'GET' ? [] : unknownParameters(Object.keys(query), codec.props)
        if (E.isRight(read) && unknown.length === 0) return read
        const wrong = E.isLeft(read) ? fieldErrorsOf(read.left) : []
        return E.left<Refusal>({ _tag: 'RequestNotValid', errors: [...wrong, ...unknown] })
      }),
    )
}

/** Characters that mean something to the router. */
const special = /[{}()[\]+?!:*\\]/g

/** A path of the contract in the router's notation; the router matches it with and without a slash at the end. */
export const routePath = (basePath: string, path: string): string =>
  basePath.replace(special, String.raw`\$&`) + path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
