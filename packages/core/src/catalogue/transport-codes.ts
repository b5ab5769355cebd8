import { topLevel, type CatalogueEntry } from './entry.js'

/** What the transport (HTTP) refuses before or around a use case. */
export const transportCodes = {
  parse_error: topLevel('data', 'The body is not valid JSON. Correct its syntax.'),
  invalid_encoding: topLevel('data', 'The body is not valid UTF-8. Encode it as UTF-8.'),
  payload_too_deep: topLevel('data', 'The JSON is nested too deeply. Use at most {max} levels.'),
  payload_too_large: topLevel('data', 'The body is too large. Send at most {max} bytes in one request.'),
  unsupported_media_type: topLevel(
    'set-up',
    'Send the body as application/json; accounts, one a line, as application/x-ndjson.',
  ),
  not_acceptable: topLevel('set-up', 'The answer can only be JSON. Change the Accept header.'),
  method_not_allowed: topLevel(
    'set-up',
    'This address does not support the method. Use one named in the Allow header.',
  ),
  not_found: topLevel(
    'set-up',
    'There is nothing at this address. Check the path and the supplier code in it.',
  ),
  not_authenticated: topLevel(
    'set-up',
    'No token was sent. Obtain one and send it in the Authorization header.',
  ),
  authentication_failed: topLevel('set-up', 'The token or key is not valid. Obtain a new token.'),
  token_expired: topLevel('retry', 'The token has expired. Obtain a new one and send the request again.'),
  permission_denied: topLevel('set-up', 'This key may not do that. Ask the operator for the permission.'),
  throttled: topLevel('retry', 'Too many requests. Wait as long as Retry-After says.'),
  invalid_idempotency_key: topLevel(
    'set-up',
    'The Idempotency-Key header is empty, too long or has characters that are not allowed. Correct it.',
  ),
  idempotency_key_reused: topLevel(
    'set-up',
    'This idempotency key was used for another request. Use a new key for new content.',
  ),
  idempotency_key_in_progress: topLevel(
    'retry',
    'The first request with this key is still running. Wait, then send it again.',
  ),
  service_unavailable: topLevel(
    'retry',
    'The service cannot work right now. Send the same request again later.',
  ),
  service_busy: topLevel(
    'retry',
    'The service has more work than it can do in time. Send the same request again later.',
  ),
  error: topLevel(
    'retry',
    'Something unexpected went wrong. Try again; if it stays, give the operator the request id.',
  ),
} satisfies Record<string, CatalogueEntry>
