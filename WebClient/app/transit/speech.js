// Departures read aloud, when the user asks for it.

import { language } from '../core/i18n.js';

export const canSpeak = () => typeof speechSynthesis !== 'undefined' && typeof SpeechSynthesisUtterance !== 'undefined';

/**
 * @param {string[]} sentences
 * @param {(isSpeaking: boolean) => void} changed told at the beginning and at the end
 */
export function speak(sentences, changed) {
  if (!canSpeak()) return;
  speechSynthesis.cancel();
  const voice = speechSynthesis.getVoices().find((one) => one.lang.split('-')[0] === language().split('-')[0]) ?? null;
  changed(true);
  sentences.forEach((text, index) => {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = voice?.lang ?? language();
    if (voice) utterance.voice = voice;
    const isLast = index === sentences.length - 1;
    utterance.onend = () => isLast && changed(false);
    utterance.onerror = () => isLast && changed(false);
    speechSynthesis.speak(utterance);
  });
}

export function stopSpeaking() {
  if (canSpeak()) speechSynthesis.cancel();
}
