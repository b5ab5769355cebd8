import { endpoints } from '@account-import/http-contract'
import { mount, type ApiRouter } from '../mount.js'
import type { Endpoints } from '../route.js'
import { routesOf } from './routes.js'

/** Puts every endpoint of the contract behind its address. */
export const mountRoutes = (api: ApiRouter): void => {
  const all: Endpoints = endpoints
  const routes = routesOf(api.useCases)
  const mountNamed = <Name extends keyof Endpoints>(name: Name) => mount(api, all[name], routes[name])
  for (const name of Object.keys(endpoints) as (keyof Endpoints)[]) mountNamed(name)
}
