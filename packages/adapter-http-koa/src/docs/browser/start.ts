/** A request as Swagger UI is about to send it. */
type Request = { readonly headers: Record<string, string | undefined> }

type Bundle = ((options: Readonly<Record<string, unknown>>) => unknown) &
  Readonly<{ presets: Readonly<{ apis: unknown }> }>

const { SwaggerUIBundle } = globalThis as unknown as Readonly<{ SwaggerUIBundle: Bundle }>

/** A token without a scheme means `Token`; a scheme before it is kept. */
const withScheme = (request: Request): Request => {
  const given = request.headers['Authorization']
  if (given !== undefined && !/^(?:Token|Bearer|JWT) /.test(given))
    request.headers['Authorization'] = `Token ${given}`
  return request
}

SwaggerUIBundle({
  url: new URL('../../openapi.json', import.meta.url).pathname,
  dom_id: '#swagger-ui',
  // The layout without a top bar, whose style is inline.
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  // Never sends the document to a validator elsewhere.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  requestInterceptor: withScheme,
})
