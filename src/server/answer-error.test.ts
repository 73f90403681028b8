import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { answerError } from './answer-error.ts'

const errorOf = (code: string, syscall?: string) =>
  Object.assign(new Error(`it said ${code}`), { code, syscall })

/** The response to a request whose route throws this, and what was logged. */
async function answerTo(error: Error) {
  const logged: string[] = []
  const note = (_: unknown, message: string) => void logged.push(message)
  const app = new Hono()
  app.onError((thrown, context) =>
    answerError({ log: { info: note, warn: note, error: note } }, thrown, context),
  )
  app.get('/', () => {
    throw error
  })
  return { response: await app.request('/'), logged }
}

describe('an error behind a route', () => {
  it.each([
    ['a refused connection', errorOf('ECONNREFUSED', 'connect')],
    ['a missing socket', errorOf('ENOENT', 'connect')],
    ['a server that is stopping', errorOf('57P01')],
    ['a server that is starting', errorOf('57P03')],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
    ['a nested refusal', new Error('could not read', { cause: errorOf('ECONNREFUSED') })],
    ['several refusals', new AggregateError([errorOf('ECONNREFUSED')], '')],
  ])('reports an unavailable database for %s', async (_, error) => {
    const { response } = await answerTo(error)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toMatchObject({ error: { type: 'store-unavailable' } })
  })

  it.each([
    ['a defect', new Error('secret text of the defect')],
    ['a missing file', errorOf('ENOENT', 'open')],
  ])('is logged and reveals nothing for %s', async (_, error) => {
    const { response, logged } = await answerTo(error)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain(error.message)
    expect(logged).toEqual(['a request failed'])
  })
})
