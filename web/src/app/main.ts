import { mount } from 'svelte';
import '../kit/theme.css';
import App from './App.svelte';
import { stayFresh } from './update';

stayFresh();
mount(App, { target: document.getElementById('app')! });
