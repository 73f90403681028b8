import { expect, it } from 'vitest'
import { keepCommand } from './kept-lines.ts'

it('suggests the command that started the demo, with --keep', () => {
  expect(keepCommand({ environment: { npm_lifecycle_event: 'start' } })).toBe('npm start -- --keep')
  expect(keepCommand({ environment: { npm_lifecycle_event: 'muster' } })).toBe(
    'npm run muster -- demo --keep',
  )
  expect(keepCommand({ environment: {} })).toBe('muster demo --keep')
})
