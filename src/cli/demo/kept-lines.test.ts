import { expect, it } from 'vitest'
import { keepCommand } from './kept-lines.ts'

it('names the command that was used to start the demo', () => {
  expect(keepCommand({ environment: { npm_lifecycle_event: 'start' } })).toBe('npm start -- --keep')
  expect(keepCommand({ environment: { npm_lifecycle_event: 'muster' } })).toBe(
    'npm run muster -- demo --keep',
  )
  expect(keepCommand({ environment: {} })).toBe('muster demo --keep')
})
