import { describeConversation } from './describe-conversation.ts'
import { describeWork } from './describe-work.ts'
import { gemini } from './programs/gemini.ts'

describeConversation('gemini', gemini)
describeWork('gemini', gemini)
