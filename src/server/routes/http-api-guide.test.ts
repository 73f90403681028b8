import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startTestServer, TOKEN } from '../../../test/support/server/test-server.ts'
import { eventSchema } from '../../contract/event.ts'

const GUIDE = readFileSync(new URL('../../../docs/guides/http-api.md', import.meta.url), 'utf8')

describe('docs/guides/http-api.md', () => {
  it('names every route', async () => {
    await using served = await startTestServer()
    const response = await fetch(`${served.url}/api/openapi.json`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const { paths } = (await response.json()) as { paths: Record<string, object> }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const withoutQueries = GUIDE.replaceAll(/`([A-Z]+ [^`?]+)\?[^`]*`/g, '`$1`')
    expect(routes.filter((route) => !withoutQueries.includes(`\`${route}\``))).toEqual([])
  })

  it('names every type of event', () => {
    const types = eventSchema.options.map((option) => option.shape.type.value)
    expect(types.filter((type) => !GUIDE.includes(`\`${type}\``))).toEqual([])
  })
})
