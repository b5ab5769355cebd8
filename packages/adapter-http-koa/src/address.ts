import { E, type Either, pipe } from '@account-import/core/adapter-kit'
import { addressCodecs, type Addresses, fieldErrorsOf, type Refusal } from '@account-import/http-contract'

/** Printable ASCII is all that a path may hold undecoded. */
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

/**
 * Decodes path parameters and query by an endpoint's codecs. `captures` are the parts of the path as they came,
 * in order of the path; each is percent-decoded once, here. A malformed part cannot name anything, so it is 404.
 */
export const addressDecoder = <Params extends keyof Addresses, Query extends keyof Addresses>(
  endpoint: Readonly<{ path: string; params?: Params; query?: Query }>,
) => {
  const names = namesIn(endpoint.path)
  return (
    captures: readonly string[],
    query: unknown,
  ): Either<Refusal, Readonly<{ params: Addresses[Params]; query: Addresses[Query] }>> =>
    pipe(
      addressCodecs[endpoint.params ?? ('none' as Params)].decode(
        Object.fromEntries(names.map((name, i) => [name, decoded(captures[i] ?? '')])),
      ),
      E.mapLeft((): Refusal => ({ _tag: 'NothingHere' })),
      E.bindTo('params'),
      E.bind('query', () =>
        pipe(
          addressCodecs[endpoint.query ?? ('none' as Query)].decode(query),
          E.mapLeft((errors): Refusal => ({ _tag: 'RequestNotValid', errors: fieldErrorsOf(errors) })),
        ),
      ),
    )
}

/** Characters that mean something to the router. */
const special = /[{}()[\]+?!:*\\]/g

/** A path of the contract in the router's notation; the router allows, and does not need, a slash at the end. */
export const routePath = (basePath: string, path: string): string =>
  basePath.replace(special, String.raw`\$&`) + path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
