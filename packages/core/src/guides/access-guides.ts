import type { Guides } from '../catalogue/guide.js'

const status = 'GET /v1/data-import/account-transfer-status/LEVANTE/LEV-E-000456/'
const process = 'POST /v1/data-import/account-import-process/process/'

/** Tokens, permissions, rates and idempotency keys. */
export const accessGuides = {
  not_authenticated: {
    means: 'The request has no Authorization header.',
    causes: ['The header was not set, or a proxy or redirect to another host removed it.'],
    fix: [
      'Obtain a token with the mutation obtainToken at /v1/graphql/.',
      'Send it as Authorization: Token and the token.',
    ],
    at: [],
    example: {
      bad: `${status}
→ 401 not_authenticated`,
      good: `${status}
Authorization: Token eyJhbGciOi…
→ 200`,
    },
    related: ['authentication_failed', 'token_expired'],
  },
  authentication_failed: {
    means: 'The token is not one of this service, was revoked with its key, or the header has another form.',
    causes: [
      'The API key was sent instead of a token.',
      'The token is of another environment, or was cut when it was copied.',
      'The operator revoked the key.',
    ],
    fix: [
      'Obtain a new token for the API key, and send that.',
      'If the key is refused as well, ask the operator for a new key.',
    ],
    at: [],
    example: {
      bad: `${status}
Authorization: Token aik_…
→ 401 authentication_failed`,
      good: `${status}
Authorization: Token eyJhbGciOi…
→ 200`,
    },
    related: ['not_authenticated', 'token_expired', 'throttled'],
  },
  token_expired: {
    means: 'The token was good but is older than 60 minutes, or its key has expired.',
    causes: ['A long job keeps the token that it began with.'],
    fix: [
      'Obtain a new token with the refresh token or the API key, and send the same request again.',
      'Renew tokens a minute before expiresAt; the client library does that.',
    ],
    at: [],
    example: {
      bad: `${status}
Authorization: Token eyJhbGciOi…   of two hours ago
→ 401 token_expired`,
      good: `${status}
Authorization: Token eyJhbGciOi…   just obtained
→ 200`,
    },
    related: ['authentication_failed'],
  },
  permission_denied: {
    means: 'The token is good, but its API key lacks the scope of this address.',
    causes: ['The key was created for validating only, and the job now stages or processes.'],
    fix: [
      'See which scope the address needs in /openapi.json.',
      'Ask the operator for a key with it: account-import api-key create --organisation CODE --scope process.',
    ],
    at: [],
    example: {
      bad: `${process}   with a key of the scope validate
→ 403 permission_denied`,
      good: `${process}   with a key of the scope process
→ 201`,
    },
    related: ['authentication_failed'],
  },
  throttled: {
    means:
      'Too many requests, or too many failed logins, came in a short time; or too many of one key, or of one connection, wait for their answers.',
    causes: [
      'More workers run than the key is allowed.',
      'A client sends on without reading its answers.',
      'A job with a wrong key tries again without end.',
      'So many requests had an idempotency key today that no more answers are kept: Retry-After is then hours.',
    ],
    fix: [
      'Wait as long as Retry-After says.',
      'Send fewer requests at once; obtain one token for all workers.',
    ],
    at: [],
    example: {
      bad: `${status}   the thousandth time in a minute
→ 429 throttled, Retry-After: 30`,
      good: `${status}   thirty seconds later
→ 200`,
    },
    related: ['service_busy', 'concurrency_limit_reached', 'authentication_failed'],
  },
  invalid_idempotency_key: {
    means:
      'The Idempotency-Key header is empty, longer than 255 characters, or has other characters than visible ASCII.',
    causes: ['The key was built from names with accents or blanks.', 'The header was sent twice.'],
    fix: ['Use a UUID, or a hash of what makes the request unique.'],
    at: [],
    example: {
      bad: `${process}
Idempotency-Key: María 1
→ 400 invalid_idempotency_key`,
      good: `${process}
Idempotency-Key: 5b0c9a3e-52a1-4a4e-9d0e-0c4f5a1d7b11
→ 201`,
    },
    related: ['idempotency_key_reused'],
  },
  idempotency_key_reused: {
    means: 'The idempotency key was used before for a request with another body or query. Nothing was done.',
    causes: [
      'The key is derived from the account number alone, and the content has changed.',
      'A counter began anew when the job was restarted.',
      'The request was written anew, with other blanks or another order of names.',
    ],
    fix: [
      'Use a new key for each new content.',
      'Repeat a key only for a repetition of the same request, byte for byte.',
    ],
    at: [],
    example: {
      bad: `${process}
Idempotency-Key: 5b0c9a3e   with another account
→ 422 idempotency_key_reused`,
      good: `${process}
Idempotency-Key: 77d1e2f4   for the other account
→ 201`,
    },
    related: ['idempotency_key_in_progress', 'invalid_idempotency_key'],
  },
  idempotency_key_in_progress: {
    means:
      'The first request with this idempotency key has not ended yet, so its answer cannot be given again.',
    causes: [
      'The client gave up waiting too early and sent the request again.',
      'The server that had the first request died; its claim ends within a minute.',
    ],
    fix: ['Wait, then send the same request with the same key.', "Raise the client's time limit."],
    at: [],
    example: {
      bad: `${process}
Idempotency-Key: 5b0c9a3e   while the first one runs
→ 409 idempotency_key_in_progress`,
      good: `${process}
Idempotency-Key: 5b0c9a3e   a few seconds later
→ 201`,
    },
    related: ['idempotency_key_reused', 'account_import_in_progress'],
  },
} satisfies Guides
