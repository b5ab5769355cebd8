/** A token without a scheme means `Token`; a scheme before it is kept. */
const withScheme = (request) => {
  const given = request.headers.Authorization
  if (given !== undefined && !/^(?:Token|Bearer|JWT) /.test(given))
    request.headers.Authorization = `Token ${given}`
  return request
}

const { SwaggerUIBundle } = globalThis

/** Swagger UI has dark colours under a class. */
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

SwaggerUIBundle({
  url: new URL('../../openapi.json', import.meta.url).pathname,
  dom_id: '#swagger-ui',
  // The layout without a top bar, whose style is inline.
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  // Never sends the document to an external validator.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  // A link and a button that copies inside the button that unfolds an operation could not be reached by every key.
  plugins: [
    ({ React }) => ({
      wrapComponents: {
        CopyToClipboardBtn: () => () => null,
        DeepLink:
          () =>
          ({ text }) =>
            React.createElement('span', null, text),
      },
    }),
  ],
  requestInterceptor: withScheme,
})
