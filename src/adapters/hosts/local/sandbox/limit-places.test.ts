import { expect, it } from 'vitest'
import { limitPlaces } from './limit-places.ts'

const many = (count: number, path: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => path(number))

it('hides places one by one while there are few', () => {
  const places = many(1000, (number) => `/tools/old/.env.${number}`)
  expect(limitPlaces(places, new Set(['/tools']))).toEqual({ ok: true, value: places })
})

it('hides a directory with thousands of them as a whole, and nothing else', () => {
  const places = [
    ...many(5000, (number) => `/tools/old/keys/.env.${number}`),
    '/tools/old/.env',
    '/tools/.npmrc',
  ]
  expect(limitPlaces(places, new Set(['/tools']))).toEqual({
    ok: true,
    value: ['/tools/old/keys', '/tools/old/.env', '/tools/.npmrc'],
  })
})

it('hides the directory around thousands of directories with one each', () => {
  const places = [...many(3000, (number) => `/go/src/host/d${number}/.env`), '/asdf/plugins/x/.env']
  expect(limitPlaces(places, new Set(['/go', '/asdf']))).toEqual({
    ok: true,
    value: ['/go/src/host', '/asdf/plugins/x/.env'],
  })
})

it('hides small groups as a whole if that is the only way', () => {
  const places = many(3000, (number) => `/tools/d${number % 300}/.env.${number}`)
  const limited = limitPlaces(places, new Set(['/tools']))
  expect(limited.ok && limited.value.length).toBeLessThanOrEqual(1000)
})

it('never hides a root, not even one inside another', () => {
  const places = many(1600, (number) => `/home/tools/bin/.env.${number}`)
  expect(limitPlaces(places, new Set(['/home', '/home/tools/bin']))).toEqual({
    ok: false,
    failure: { directory: '/home/tools/bin', count: 1600 },
  })
})
