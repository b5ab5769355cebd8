import type { Guides } from '../catalogue/guide.js'

const validate = 'POST /v1/data-import/validate-account/'
const stage = 'POST /v1/data-import/account-import-process/create-or-update/'

/** Bodies, addresses and headers. */
export const transportGuides = {
  parse_error: {
    means:
      'The body is not valid JSON, one of its objects has a key twice, or the request is not complete and valid HTTP. The detail says where.',
    causes: [
      'JSON was put together by hand: a comma too many, single quotes, NaN.',
      'An object has a key twice, also where one of the two is written with escapes: readers would differ on which value counts.',
      'The body was cut, or a file with one account a line was sent as one body.',
    ],
    fix: ['Build the body with a JSON library.', 'Send one account in each request.'],
    at: [],
    example: {
      bad: `${validate}
{'import_supplier': 'LEVANTE',}
→ 400 parse_error`,
      good: `${validate}
{"import_supplier": "LEVANTE", …}
→ 200`,
    },
    related: ['invalid_encoding', 'not_a_dict', 'unsupported_media_type'],
  },
  invalid_encoding: {
    means: 'The bytes of the body are no valid UTF-8.',
    causes: ['The export is in ISO-8859-1 or Windows-1252: ñ and accents are single bytes there.'],
    fix: [
      'Convert the export to UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8.',
      'Check a name with ñ in the answer of validate.',
    ],
    at: [],
    example: {
      bad: `${validate}
{"customers": [{"family_name": "Ib\\xE1\\xF1ez"}], …}   bytes of ISO-8859-1
→ 400 invalid_encoding`,
      good: `${validate}
{"customers": [{"family_name": "Ibáñez"}], …}   bytes of UTF-8
→ 200`,
    },
    related: ['parse_error', 'surrogate_characters_not_allowed'],
  },
  payload_too_deep: {
    means:
      'Objects and lists of the body are nested more than 32 levels deep. The outermost value is level 1.',
    causes: ['A tree of the old system was put into metadata as it is.'],
    fix: ['Flatten the value, or send it as text inside metadata.'],
    at: [],
    example: {
      bad: `${validate}
{"metadata": [{"key": "tree", "value": {"a": {"a": {"a": … 33 levels … }}}}], …}
→ 400 payload_too_deep`,
      good: `${validate}
{"metadata": [{"key": "tree", "value": {"path": "a/a/a"}}], …}
→ 200`,
    },
    related: ['payload_too_large', 'max_length'],
  },
  payload_too_large: {
    means:
      'The body, or a line, has more than 5 MiB, counted after decompression; or it unpacks to more than 100 times its packed length; or more than 1000 blank lines follow one another.',
    causes: [
      'Documents were put into the payload as text.',
      'Interval readings of many years were sent.',
      'Many accounts were sent in one request.',
    ],
    fix: [
      'Send one account in each request, or many, one a line, in a bulk request.',
      'Upload documents to the document store and send their paths.',
      'Send only the history that was agreed on.',
    ],
    at: [],
    example: {
      bad: `${stage}
Content-Length: 7340032
→ 413 payload_too_large`,
      good: `${stage}
Content-Length: 8412
→ 201`,
    },
    related: ['payload_too_deep', 'max_length'],
  },
  unsupported_media_type: {
    means:
      'The body is not declared as what the address takes, or its Content-Encoding is another than gzip.',
    causes: ['curl -d sends a form unless it is given a header.', 'No Content-Type was sent at all.'],
    fix: [
      'Send Content-Type: application/json; to bulk-validate and bulk-create-or-update application/x-ndjson.',
      'Compress with gzip or not at all.',
    ],
    at: [],
    example: {
      bad: `${validate}
Content-Type: application/x-www-form-urlencoded
→ 415 unsupported_media_type`,
      good: `${validate}
Content-Type: application/json
→ 200`,
    },
    related: ['not_acceptable', 'parse_error'],
  },
  not_acceptable: {
    means: 'The Accept header of the request excludes JSON, and there is nothing else to answer with.',
    causes: ['A client or gateway sets Accept to text/html or application/xml.'],
    fix: ['Send Accept: application/json, or no Accept header.'],
    at: [],
    example: {
      bad: `GET /v1/data-import/account-transfer-status/LEVANTE/LEV-E-000456/
Accept: application/xml
→ 406 not_acceptable`,
      good: `GET /v1/data-import/account-transfer-status/LEVANTE/LEV-E-000456/
Accept: application/json
→ 200`,
    },
    related: ['unsupported_media_type'],
  },
  method_not_allowed: {
    means: 'The address exists, but not with this method. The Allow header names the methods that work.',
    causes: ['PUT was used for create-or-update.', 'A redirect turned a POST into a GET.'],
    fix: [
      'Use a method of the Allow header.',
      'Call the final address directly, with https, so that nothing redirects.',
    ],
    at: [],
    example: {
      bad: `PUT /v1/data-import/account-import-process/create-or-update/
→ 405 method_not_allowed, Allow: POST`,
      good: `${stage}
→ 201`,
    },
    related: ['not_found'],
  },
  not_found: {
    means:
      'Nothing lies at this address: the path is not one of the API, or the supplier in it is not one of your organisation.',
    causes: [
      'The base path of the installation is missing, or stands there twice.',
      'An identifier in the path was not percent-encoded: A/1 has to be A%2F1.',
      'The supplier belongs to another organisation.',
    ],
    fix: [
      'Compare the address with /openapi.json.',
      'Percent-encode each identifier once.',
      'Check the supplier code with the operator.',
    ],
    at: [],
    example: {
      bad: `GET /v1/data-import/all-account-import-processes/levante/
→ 404 not_found`,
      good: `GET /v1/data-import/all-account-import-processes/LEVANTE/
→ 200`,
    },
    related: ['import_supplier_does_not_exist', 'import_process_does_not_exist', 'method_not_allowed'],
  },
  service_unavailable: {
    means: 'The service cannot reach its database, or a store that the request needs. Nothing was done.',
    causes: [
      'The database restarts or is switched over.',
      'Documents have to be checked, and the document store is away.',
    ],
    fix: [
      'Wait as long as Retry-After says and send the same request again.',
      'If it lasts for minutes, tell the operator; /readyz shows what is missing.',
    ],
    at: [],
    example: {
      bad: `${stage}   while the database restarts
→ 503 service_unavailable, Retry-After: 2`,
      good: `${stage}   two seconds later
→ 201`,
    },
    related: ['error', 'document_check_not_possible'],
  },
  service_busy: {
    means:
      'So much work waits that the service would be late with all of it. This request was not begun, and nothing was done.',
    causes: ['Many clients send at once.', 'The server is too small for what is asked of it.'],
    fix: [
      'Wait as long as Retry-After says and send the same request again, with fewer others beside it.',
      'If it lasts, the operator can start more workers or servers; the metrics show what is refused.',
    ],
    at: [],
    example: {
      bad: `${stage}   beside thousands of others
→ 503 service_busy, Retry-After: 1`,
      good: `${stage}   a second later
→ 201`,
    },
    related: ['service_unavailable', 'throttled'],
  },
  error: {
    means:
      'The service is at fault. The answer holds a request_id; the operator finds the cause in the log by it.',
    causes: ['A defect of the service or of something that it runs on.'],
    fix: [
      'Send the request once more after a while.',
      'If it stays, give the operator the request_id, the time and the address; payloads are not needed.',
    ],
    at: [],
    example: {
      bad: `${stage}
→ 500 error, X-Request-Id: 6f1c2f0a`,
      good: `${stage}   once more
→ 201`,
    },
    related: ['service_unavailable'],
  },
} satisfies Guides
