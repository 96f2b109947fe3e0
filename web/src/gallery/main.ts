import { mount } from 'svelte';
import '../kit/theme.css';
import Gallery from './Gallery.svelte';
import Kit from './Kit.svelte';

const asked = new URLSearchParams(location.search);
document.documentElement.dataset.theme = asked.get('theme') ?? '';
mount(asked.has('kit') ? Kit : Gallery, { target: document.getElementById('app')! });
